# frozen_string_literal: true

module Mawashi
  module Children
    # The report of a loaded app to the server: texts with a NUL between them, lists behind their length.
    module Report
      class << self
        # Sends it. Where the app has set what cannot be meant, it sends why, and the process ends.
        #
        # @param link [Link]
        # @param sidekiq [SidekiqGem]
        def write(link, sidekiq)
          link.write("S", of(sidekiq))
        rescue Error => e
          link.write("Y", "the app's settings: #{e.message}")
          exit!(1)
        end

        # @param sidekiq [SidekiqGem]
        # @return [String]
        # @raise [Error] when the app has set what cannot be meant
        def of(sidekiq)
          timeout, tag, labels, *limits, capsules, origins, periodic = sidekiq.server_settings
          texts = [sidekiq.version, RUBY_DESCRIPTION, sidekiq.counts_runs?, timeout, tag, *list(labels), *limits]
          texts.concat(list(capsules) { |name, concurrency, queues| [name, concurrency, *list(queues)] })
          texts.concat(list(origins)).push(periodic).concat(sidekiq.app_redis)
          # As bytes: names may come from files, flags and the environment, and those from another locale.
          texts.map { |text| text.to_s.b.delete("\0") }.join("\0")
        end

        private

        def list(items)
          [items.size, *items.flat_map { |item| block_given? ? yield(item) : item }]
        end
      end
    end
  end
end
