# frozen_string_literal: true

require "sidekiq/server_middleware"
