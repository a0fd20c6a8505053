# frozen_string_literal: true

# Resque's job classes of an app without the resque gem.
SEEN = []

class ArchiveJob
  @queue = :low

  def self.perform(*args)
    SEEN << args
  end
end

class FailingJob
  def self.perform
    raise IOError, "no disk"
  end
end

class NotAJob
  def initialize
    SEEN << "made"
  end

  def perform
    SEEN << "performed"
  end
end

class EndlessJob
  STARTED = Queue.new

  def self.on_failure_note(*)
    SEEN << "failed"
  end

  def self.perform
    STARTED << true
    sleep
  end
end
