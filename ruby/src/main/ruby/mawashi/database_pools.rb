# frozen_string_literal: true

require "mawashi/own_log"

module Mawashi
  # The pools of connections that the app has to its databases, by way of ActiveRecord and Sequel.
  module DatabasePools
    class << self
      # Closes what is open and unused. What is needed again connects anew.
      def disconnect
        active_record.each(&:disconnect!)
        sequel.each(&:disconnect)
      end

      # Says in the log where jobs would wait for each other's connections.
      #
      # @param threads [Integer] jobs that run at once in this process
      def check(threads)
        sizes = active_record.map { |pool| ["`pool` in config/database.yml", pool.size] } +
                sequel.map { |database| ["`max_connections` of Sequel.connect", database.pool.max_size] }
        sizes.uniq.each do |setting, size|
          next unless size.is_a?(Integer) && size.between?(1, threads - 1)

          OwnLog.say(:warn, "#{threads} jobs run at once in a process and share #{size} connections to a database: " \
                            "set #{setting} to #{threads}, or `-c` to #{size}")
        end
      rescue => e
        OwnLog.say(:debug, "#{e.class} while database pools were looked at: #{e.message}")
      end

      private

      def sequel
        defined?(::Sequel::DATABASES) ? ::Sequel::DATABASES : []
      end

      # ActiveRecord makes a child forget what its parent had open, but SQLite must not even be open there.
      def active_record
        return [] unless defined?(::ActiveRecord::Base)

        handler = ::ActiveRecord::Base.connection_handler
        return handler.connection_pool_list(:all) if ::ActiveRecord.version >= Gem::Version.new("7.1")

        # Those of all roles; before 6.1 there is a handler for each, and the app's own is what the boot has used.
        handler.respond_to?(:all_connection_pools) ? handler.all_connection_pools : handler.connection_pool_list
      end
    end
  end
end
