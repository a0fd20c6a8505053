# frozen_string_literal: true

# Said in one sentence, since Ruby's own "cannot load such file" would name neither reason nor remedy.
raise LoadError, "Sidekiq's web page (sidekiq/web) is not part of what Mawashi ships: add gem \"sidekiq\" to the Gemfile"
