# frozen_string_literal: true

# The app of the acceptance tests with capsules of one slot, and jobs that notice when another runs beside them.
require_relative "app"

# What one of these has locked the kernel frees, however its process ends.
class AloneJob
  include Noted

  def perform(name, seconds)
    File.open(File.join(ENV.fetch("LEDGER"), "#{name}.lock"), File::RDWR | File::CREAT) do |lock|
      Ledger.note("beside", jid) unless lock.flock(File::LOCK_EX | File::LOCK_NB)
      noted { sleep(seconds) }
    end
  end
end

Sidekiq.configure_server do |config|
  %i[startup quiet shutdown].each { |event| config.on(event) { Ledger.note(event.to_s) } }
  # Before Sidekiq 7 the test has config/mawashi.yml make them.
  if config.respond_to?(:capsule)
    %w[serial single].each do |name|
      config.capsule(name) do |capsule|
        capsule.concurrency = 1
        capsule.queues = [name]
      end
    end
  end
end
