# frozen_string_literal: true

require "io/nonblock"
require "mawashi/job_log"
require "mawashi/sidekiq_gem"
require "socket"

# Lines about jobs are written without Sidekiq's job logger only where they would be the same.
class ShimJobLinesTest < Minitest::Test
  FORMS = Sidekiq::Logger::Formatters

  # Patched as gems do it.
  module Noted
    def add(*)
      super
    end
  end

  class OwnLogger < Sidekiq::Logger; end
  class OwnForm < FORMS::Plain; end

  def setup
    @gem = Mawashi::SidekiqGem.new("")
    @config = Sidekiq.default_configuration
    @before = @config.logger
    @from, @to = IO.pipe
    use(Sidekiq::Logger.new(@to, level: Logger::INFO))
    @job = { "class" => "J", "jid" => "j1" }
    @log = nil
  end

  def teardown
    @config.logger = @before
    @config[:job_logger] = nil
    Thread.current[:sidekiq_context] = nil
    [@from, @to].each(&:close)
  end

  def use(logger)
    @logger = @config.logger = logger
    logger.formatter = FORMS::Plain.new
  end

  def log
    # The first job is called for.
    @log ||= Mawashi::JobLog.new(@gem, -> { @job }).tap { |log| assert_nil log.lines }
  end

  def written
    @to.flush
    @from.read_nonblock(1_000_000).gsub(/20\S+Z pid=\d+ tid=\w+ /, "")
  end

  def test_each_of_sidekiqs_own_forms_is_written
    [FORMS::Pretty, FORMS::Plain, FORMS::WithoutTimestamp, FORMS::JSON].each do |form|
      @logger.formatter = form.new
      refute_nil log.lines, form
    end
  end

  def test_what_the_app_has_changed_is_called
    changes = {
      formatter: -> { @logger.formatter = ->(*) { "own\n" } },
      "formatter's class": -> { @logger.formatter = OwnForm.new },
      "one formatter": -> { @logger.formatter = FORMS::Plain.new.tap { |form| def form.tid = "t" } },
      logger: -> { use(OwnLogger.new(@to, level: Logger::INFO)) },
      "one logger": -> { @logger.extend(Noted) },
      "job logger": -> { @config[:job_logger] = Class.new(Sidekiq::JobLogger) },
      device: -> { use(Sidekiq::Logger.new(StringIO.new, level: Logger::INFO)) },
      level: -> { @logger.level = Logger::WARN }
    }
    changes.each do |what, change|
      setup
      change.call
      assert_nil log.lines, what
    ensure
      teardown
    end
    setup
  end

  def test_another_formatter_counts_from_the_next_job_on
    log.call(@job, "q") { @logger.formatter = ->(_, _, _, text) { "own #{text}\n" } }
    log.call(@job, "q") {}
    @logger.formatter = FORMS::WithoutTimestamp.new
    log.call(@job, "q") {}

    assert_match(/\AINFO jid=j1 class=J: start\nown done\nown start\nown done\nINFO pid=\d+ tid=\w+ jid=j1 class=J: start\n/, written)
  end

  def test_what_a_job_adds_to_its_context_is_in_its_last_line_alone
    log.call(@job, "q") { Sidekiq::Context.add(:shop, 1) }
    log.call(@job, "q") { Thread.current[:sidekiq_context] = { odd: 1 } }
    log.call(@job, "q") {}

    lines = written.gsub(/elapsed=\S+:/, "elapsed:").lines(chomp: true)
    assert_equal "INFO jid=j1 class=J shop=1 elapsed: done", lines[1]
    assert_equal "INFO odd=1 elapsed: done", lines[3]
    assert_equal ["INFO jid=j1 class=J: start", "INFO jid=j1 class=J elapsed: done"], lines.last(2)
  end

  # As the standard output of a child.
  def use_socket
    [@from, @to].each(&:close)
    @from, socket = UNIXSocket.pair
    @to = IO.for_fd(socket.fileno, "w")
    socket.autoclose = false
    @to.sync = true
    use(Sidekiq::Logger.new(@to, level: Logger::INFO))
  end

  def test_lines_come_whole_also_where_the_log_is_full
    write_much
    use_socket
    write_much
  end

  # Programs that jobs start have the same stream, and few know what to do with one that does not wait.
  def test_a_socket_that_waits_goes_on_to_wait
    use_socket
    @to.nonblock = false
    log.call(@job, "q") {}

    refute_predicate @to, :nonblock?
    assert_equal 2, written.lines.size
  end

  def write_much
    read = Thread.new { Array.new(8_000) { @from.gets } }
    4.times.map do
      Thread.new do
        own = Mawashi::JobLog.new(@gem, -> {}).tap(&:lines)
        1_000.times { |n| own.call({ "class" => "J" * (n % 50), "jid" => "j#{n}" }, "q") {} }
      end
    end.each(&:join)

    assert_empty(read.value.grep_v(/\AINFO 20\S+Z pid=\d+ tid=\w+ jid=j\d+ class=J*( elapsed=[\d.]+)?: (start|done)\n\z/))
  end

  def test_a_log_that_nobody_reads_changes_nothing
    @from.close
    _, said = capture_io { log.call(@job, "q") { @ran = true } }

    assert @ran
    assert_match(/log writing failed/, said)
  ensure
    @from, = IO.pipe
  end
end
