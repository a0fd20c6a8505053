# frozen_string_literal: true

module Mawashi
  # The places that the app's settings came from: a flag, a variable, the config file or the app's own code.
  #
  # Flags and file are noted as they are merged. The app sets its settings in Sidekiq itself, so a setting that has
  # changed once its code has run comes from there.
  class Origins
    DEFAULT = "default"
    # Keys of the config file that the server reads, and the one that follows from the weights.
    READ = %w[
      capsules concurrency config_file dead_max_jobs dead_timeout_in_seconds environment labels log_json max_retries
      queues require strict tag timeout verbose
    ].freeze
    SINGLE = %w[timeout tag labels max_retries dead_max_jobs dead_timeout_in_seconds].freeze
    MAIN = "default"
    private_constant :READ, :SINGLE, :MAIN

    def initialize
      @places = {}
      @values = {}
      @seen = {}
    end

    # @param keys [Enumerable<Symbol, String>] that were given there
    def note(keys, place)
      keys.each { |key| @places[key.to_s] = place unless @values.key?(key.to_s) }
    end

    # The same for a value that is not among the server's settings. It stays, whatever else has that key.
    def note_value(key, value, place)
      note([key], place)
      @values[key] = value
    end

    # Has each setting that differs from those of the call before come from there.
    #
    # @param settings [Array] see {GemSettings#server_settings}
    # @param place [String, nil] nil the first time
    def changed(settings, place)
      now = by_key(settings)
      note(now.keys.reject { |key| @seen[key] == now[key] }, place) if place && @seen.any?
      @seen = now
    end

    # @param settings [Array] see {GemSettings#server_settings}
    # @return [Array<Array(String, String, String)>] key, value and place; the value is "" for those among the settings
    def of(settings)
      changed(settings, "the app")
      others = @places.keys.reject { |key| READ.include?(key) || @seen.key?(key) }
      [*@seen.keys.map { |key| [key, "", place(key)] },
       *@values.map { |key, value| [key, value.to_s, place(key)] },
       *others.map { |key| ["others.#{key}", "", place(key)] }]
    end

    private

    def by_key(settings)
      capsules = settings[SINGLE.size].flat_map do |name, concurrency, queues|
        [["capsules.#{name}.concurrency", concurrency], ["capsules.#{name}.queues", queues]]
      end
      SINGLE.zip(settings).to_h.merge(capsules.to_h)
    end

    # Flags and the top of the file speak of the main capsule.
    def place(key)
      capsules, name, setting = key.split(".", 3)
      wider = name == MAIN ? setting : "capsules" if capsules == "capsules" && setting
      @places[key] || @places[wider] || DEFAULT
    end
  end
end
