# frozen_string_literal: true

module Mawashi
  # The files of TLS of one of the app's own connections, as the server's URL names them, see {AppPlace}.
  module AppFiles
    FILES = %i[ca_file cert key].freeze
    # Options of TLS on which the server decides by itself.
    IGNORED = %i[min_version max_version ssl_version ciphers timeout verify_mode].freeze
    private_constant :FILES, :IGNORED

    class << self
      # @param params [Hash, nil] `ssl_params` of the connection
      # @param cluster [Cluster::Url, nil] whose own files have been read into these
      # @yieldparam obstacle [String] what the server cannot take
      # @return [Hash{Symbol=>String}] for the URL's query
      def query(params, cluster)
        params = named(params.to_h.transform_keys(&:to_sym), cluster).compact
        obstacle = params.filter_map { |name, value| obstacle(name, value) unless IGNORED.include?(name) }.first
        if obstacle
          yield obstacle
          return {}
        end

        query = params.slice(*FILES).transform_values { |file| File.expand_path(file) }
        params[:verify_mode] == 0 ? query.merge(verify_mode: "none") : query # OpenSSL::SSL::VERIFY_NONE
      end

      private

      def named(params, cluster)
        return params unless cluster

        params.merge(cluster.files.slice(*FILES)) { |_, value, file| value.is_a?(String) ? value : file }
      end

      def obstacle(name, value)
        return "ssl_params has #{name}" unless FILES.include?(name)

        "#{name} of ssl_params is no file's name" unless value.is_a?(String) && File.file?(value)
      end
    end
  end
end
