# frozen_string_literal: true

module Mawashi
  # Writes the objects of this process to a file that its user alone may read, a line of JSON each.
  module HeapDump
    class << self
      # @param path [String] of a file that is not there yet
      # @return [String] "written", or why not
      def call(path)
        require "objspace"
        GC.start
        File.open(path, File::WRONLY | File::CREAT | File::EXCL, 0o600) { |file| ObjectSpace.dump_all(output: file) }
        "written"
      rescue LoadError, StandardError => e
        "#{e.class}: #{e.message}"
      end
    end
  end
end
