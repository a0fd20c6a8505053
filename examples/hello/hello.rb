# frozen_string_literal: true

# Four jobs, one of each kind that an app usually has. Nothing in them knows Mawashi: they run
# the same under `sidekiq -r ./hello.rb`.

require "digest"
require "sidekiq"
require "tmpdir"

# In `mawashi demo`, two lines for each of 20,000 jobs would hide what it has to show.
Sidekiq.logger.level = Logger::FATAL if ENV["APP_ENV"] == "demo"

module Hello
  # Next to no work: what it measures is the server.
  class Plain
    include Sidekiq::Job

    def perform(name)
      "Hello, #{name}!"
    end
  end

  # Keeps one core busy for some milliseconds.
  class Digest
    include Sidekiq::Job

    def perform(text, rounds = 1_000)
      rounds.times { text = ::Digest::SHA256.hexdigest(text) }
      text
    end
  end

  # Raises on its first try and succeeds on the retry, whichever process runs it.
  class FlakyOnce
    include Sidekiq::Job

    sidekiq_options retry: 3
    sidekiq_retry_in { 1 }

    def perform
      marker = File.join(Dir.tmpdir, "hello-#{jid}")
      begin
        File.new(marker, File::CREAT | File::EXCL | File::WRONLY).close
      rescue Errno::EEXIST
        return File.delete(marker)
      end
      raise "the first try fails on purpose"
    end
  end

  # Meant to be enqueued for later: Hello::Reminder.perform_in(5, "tea").
  class Reminder
    include Sidekiq::Job

    def perform(what)
      logger.debug("time for #{what}")
    end
  end
end
