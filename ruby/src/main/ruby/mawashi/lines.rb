# frozen_string_literal: true

require "mawashi/native"

module Mawashi
  # Lines of files, as `IO.foreach`, `IO.readlines` and `IO#each_line` give them. On JRuby inside a Mawashi server they are read
  # in Java; elsewhere these are `IO`'s own methods.
  #
  # On JRuby it reads files in every encoding that contains ASCII, with any separator and limit. What is
  # transcoded (`"r:iso-8859-1:utf-8"`), is in text mode or in UTF-16 or UTF-32, or is no file (a pipe, a socket), JRuby
  # reads, by the same call.
  module Lines
    class << self
      # Yields each line of a file, and closes it at the end, at a `break` and at an error.
      #
      # @param path [String, #to_path]
      # @param args [Array] separator (`$/`, "" for paragraphs, nil for none) and limit in bytes, which a character
      #   that it would cut exceeds; either may be left out
      # @param options [Hash] `chomp: true`, and what `File.open` takes: `mode:`, `encoding:`, `external_encoding:` ...
      # @return [nil, Enumerator] an enumerator without a block
      # @raise [SystemCallError] when the file cannot be opened or read; on JRuby a directory cannot be opened
      # @raise [IOError] when on JRuby a line does not fit into memory or has more than 2,147,483,639 bytes
      # @example
      #   Mawashi::Lines.foreach("orders.csv", chomp: true) { |line| p line }
      def foreach(path, *args, **options, &block)
        # Ruby before 3.2 never ends then.
        raise ArgumentError, "invalid limit: 0 for foreach" if args.last.equal?(0)

        IO.foreach(path, *args, **options, &block)
      end

      # All lines of a file.
      #
      # @param (see foreach)
      # @return [Array<String>]
      # @raise (see foreach)
      # @example
      #   Mawashi::Lines.readlines("orders.csv", chomp: true)
      def readlines(path, *args, **options)
        IO.readlines(path, *args, **options)
      end

      # Yields each of the lines that are left in an IO, and leaves it open.
      #
      # @param io [IO, #each_line]
      # @param args [Array] separator and limit, see {foreach}
      # @param options [Hash] `chomp: true`
      # @return [IO, Enumerator] the IO; an enumerator without a block
      # @raise [IOError] when it is closed, is not open for reading, or a line is too long, see {foreach}
      # @example
      #   File.open("orders.csv") { |file| Mawashi::Lines.each_line(file) { |line| p line } }
      def each_line(io, *args, **options, &block)
        io.each_line(*args, **options, &block)
      end

      # Whether lines are read in Java.
      #
      # @example
      #   Mawashi::Lines.fast? # => false on MRI
      def fast?
        false
      end
    end

    Native.load_lines
  end
end
