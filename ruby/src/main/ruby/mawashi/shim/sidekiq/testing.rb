# frozen_string_literal: true

require "sidekiq/test_api"

Sidekiq::Testing.fake!
