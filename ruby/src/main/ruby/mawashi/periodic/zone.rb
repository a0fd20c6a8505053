# frozen_string_literal: true

module Mawashi
  module Periodic
    # Names of time zones.
    module Zone
      # Of zones as the TZ database names them. Others, such as `:/etc/localtime`, are the system's to read.
      NAME = %r{\A[A-Za-z][\w+-]*(/[\w+-]+)*\z}.freeze
      private_constant :NAME

      class << self
        # @param zone [ActiveSupport::TimeZone, TZInfo::Timezone, String] a text may also be a name of Rails'
        # @return [String] as the TZ database has it; the server knows whether there is one
        # @raise [ArgumentError] when there is none
        def name(zone)
          if zone.nil?
            raise ArgumentError, "the zone is nil: ActiveSupport::TimeZone has nil for a name that it does not know"
          end

          rails = ::ActiveSupport::TimeZone[zone] if zone.is_a?(String) && defined?(::ActiveSupport::TimeZone)
          zone = rails || zone
          zone = zone.tzinfo if zone.respond_to?(:tzinfo)
          (zone.respond_to?(:identifier) ? zone.identifier : zone).to_s
        end

        # @return [String] that of the process, if it was set by a name; "" for the system's
        def of_process
          ENV["TZ"].to_s[NAME].to_s
        end
      end
    end
  end
end
