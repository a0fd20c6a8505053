# frozen_string_literal: true

require_relative "application"
Rails.application.initialize!
# As in production: threads of JRuby that load a class at the same time now and then make zeitwerk fail. With
# `eager_load` Rails from 7.1 on would load a controller too, for which there is nothing here.
Rails.application.eager_load!
