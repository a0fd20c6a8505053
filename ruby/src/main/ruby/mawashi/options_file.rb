# frozen_string_literal: true

module Mawashi
  # The app's config file as it stands: YAML after ERB, with symbols as keys, but for those inside lists, which
  # Sidekiq's command leaves as they are.
  module OptionsFile
    BYTES_MAX = 1 << 20
    # Aliases make more of them than a file has room for.
    VALUES_MAX = 100_000
    DEPTH_MAX = 20

    class << self
      # @param file [String] its path
      # @return [Object] a Hash, where it is as it should be
      # @raise [Error] when it cannot be read
      def read(file)
        symbolized(parsed(file), file)
      end

      private

      def parsed(file)
        require "erb"
        require "yaml"
        erb = ERB.new(text(file), trim_mode: "-")
        erb.filename = File.expand_path(file)
        yaml = erb.result
        check_depth(YAML.parse(yaml, filename: file), file)
        YAML.safe_load(yaml, permitted_classes: [Symbol], aliases: true, filename: file) || {}
      rescue Psych::Exception, SystemCallError => e
        raise Error, "cannot read #{file}: #{e.message}"
      rescue Error
        raise
      rescue StandardError, SyntaxError => e
        raise Error, "cannot read #{file}: its ERB raised #{e.class}: #{e.message}"
      end

      def text(file)
        bytes = File.size(file)
        raise Error, "#{file} is #{bytes} bytes, at most #{BYTES_MAX}" if bytes > BYTES_MAX

        text = File.read(file, encoding: "bom|utf-8")
        text.valid_encoding? ? text : raise(Error, "cannot read #{file}: it is not UTF-8")
      end

      # Before values are made of it: YAML's own reader calls itself for each level, and has no end of the stack
      # that can be rescued everywhere.
      def check_depth(document, file)
        level = document ? document.children : []
        depth = -1
        until level.empty?
          too_deep(file) if (depth += 1) > DEPTH_MAX
          level = level.flat_map { |node| node.children || [] }
        end
      end

      def too_deep(file)
        raise Error, "#{file} is nested deeper than #{DEPTH_MAX}"
      end

      def symbolized(values, file)
        left = VALUES_MAX
        walk = lambda do |value, depth, in_list|
          left -= 1
          raise Error, "#{file} holds more than #{VALUES_MAX} values" if left.negative?
          too_deep(file) if depth > DEPTH_MAX

          case value
          when Hash
            value.to_h do |key, inner|
              [in_list || !key.respond_to?(:to_sym) ? key : key.to_sym, walk.call(inner, depth + 1, in_list)]
            end
          when Array then value.map { |inner| walk.call(inner, depth + 1, true) }
          else value
          end
        end
        walk.call(values, 0, false)
      end
    end
  end
end
