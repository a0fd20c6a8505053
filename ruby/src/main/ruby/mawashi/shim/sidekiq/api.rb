# frozen_string_literal: true

# Said in one sentence, since Ruby's own "cannot load such file" would name neither reason nor remedy.
raise LoadError, "Sidekiq's data API (sidekiq/api) is not part of what Mawashi ships: add gem \"sidekiq\" to the Gemfile"
