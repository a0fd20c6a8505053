# frozen_string_literal: true

module Mawashi
  # The part of a failed job that a log line has where config/mawashi.yml hides arguments of any class: the fields that are
  # known to hold none.
  module HiddenArguments
    MARK = "[REDACTED]"
    SHOWN = %w[
      jid class wrapped queue retry dead backtrace created_at enqueued_at at failed_at retried_at retry_count
      error_class error_message tags bid
    ].freeze
    private_constant :MARK, :SHOWN

    # @param context [Hash{Symbol=>Object}] what error handlers are told
    # @return [Hash{Symbol=>Object}] the same without arguments
    def self.of(context)
      context.to_h do |name, value|
        case name
        when :job then [name, value.is_a?(Hash) ? value.slice(*SHOWN).merge("args" => [MARK]) : MARK]
        when :jobstr then [name, MARK]
        else [name, value]
        end
      end
    end
  end
end
