# frozen_string_literal: true

require "tmpdir"
require "fileutils"

# What flags and config files come to, against the rules of Sidekiq's own command.
class OptionsTest < Minitest::Test
  def setup
    @folder = Dir.mktmpdir
    FileUtils.mkdir(File.join(@folder, "config"))
  end

  def teardown
    FileUtils.remove_entry(@folder)
    %w[RAILS_MAX_THREADS APP_ENV RAILS_ENV RACK_ENV].each { |name| ENV.delete(name) }
  end

  def write(text, name = "config/sidekiq.yml")
    File.join(@folder, name).tap { |path| File.write(path, text) }
  end

  def read(text = nil, environment: "production", **flags)
    write(text) if text
    Mawashi::Options.read({ require: @folder, **flags }, environment)
  end

  def refusal(text, **flags)
    assert_raises(Mawashi::Error) { read(text, **flags) }.message
  end

  # @return [Array] name and weight of each
  def queues(text, **flags)
    Mawashi::Options.weights(read(text, **flags)[:queues])
  end

  def test_without_flags_and_file_nothing_is_set
    assert_equal({ require: @folder }, read)
  end

  def test_each_option_knows_where_it_came_from
    origins = Mawashi::Origins.new
    ENV["RAILS_MAX_THREADS"] = "4"
    path = write("timeout: 8\ncron: x\nproduction:\n  max_retries: 3\n")
    Mawashi::Options.read({ require: @folder, queues: { "a" => 0 } }, "production", origins)
    settings = [8, nil, [], 3, 10_000, 1, [["default", 4, [["a", 0]]], ["mail", 1, [["m", 0]]]]]
    origins.changed(settings, nil)
    settings[1] = "set by the app"

    places = origins.of(settings).to_h { |key, _, place| [key, place] }
    expected = {
      "timeout" => path, "max_retries" => "#{path}, section production",
      "capsules.default.concurrency" => "RAILS_MAX_THREADS", "capsules.default.queues" => "-q",
      "capsules.mail.queues" => "default", "tag" => "the app",
      "dead_max_jobs" => "default", "config_file" => "default", "others.cron" => path
    }
    assert_equal expected, places.slice(*expected.keys)
    refute_includes origins.of(settings).flatten, "x", "it may be a secret"
  end

  def test_all_mistakes_of_a_file_are_told_at_once
    message = refusal("concurrency: many\ntimeout: soon\nqueues: [a, a]\ncapsules: {m: {concurrency: 0}}\n")
    ["concurrency in", "timeout in", "queue a stands twice", "capsule m of"].each { |part| assert_includes message, part }
  end

  def test_keys_may_be_strings_or_symbols_and_unknown_ones_stay
    options = read("---\n:concurrency: 3\ntimeout: 8\n:cron:\n  - name: nightly\n    :at: 3\n")
    assert_equal 3, options[:concurrency]
    assert_same 8, options[:timeout]
    assert_equal [{ "name" => "nightly", :at => 3 }], options[:cron], "Sidekiq leaves keys inside lists as they are"
  end

  def test_queues_in_all_their_forms
    found = queues("queues:\n  - plain\n  - [pair, 2]\n  - 'text,3'\n  - :symbol\n")
    assert_equal [["plain", 0], ["pair", 2], ["text", 3], ["symbol", 0]], found
    assert_equal [["critical", 3], ["default", 1]], queues("queues:\n  critical: 3\n  default: 1\n")
  end

  def test_what_the_file_may_say_beside_pools
    options = read("strict: false\nverbose: true\ntag: shop\nlabels: [a]\nqueues: [a]\n")
    assert_equal [true, "shop", ["a"]], options.values_at(:verbose, :tag, :labels)
    refute options.key?(:strict), "it follows from the weights"
    path = write("require: ./jobs.rb\n", "other.yml")
    assert_equal "./jobs.rb", Mawashi::Options.read({ config_file: path }, "test")[:require]
  end

  def test_the_environment_is_the_flags_or_the_first_that_is_named
    names = %w[APP_ENV RAILS_ENV RACK_ENV]
    named = names.map do |name|
      names.each { |other| ENV.delete(other) }
      names.drop(names.index(name)).each { |other| ENV[other] = other.downcase }
      environment(nil)
    end
    assert_equal names.map { |name| [name.downcase, name] }, named
    assert_equal %w[rack_env] * 3, ENV.values_at(*names)
    assert_equal %w[given -e], environment("given")
    names.each { |name| ENV.delete(name) }
    assert_equal %w[development default], environment(nil)
  end

  # @return [Array(String, String)] it and where it came from
  def environment(given)
    origins = Mawashi::Origins.new
    chosen = Mawashi::AppEnvironment.choose(given, origins)
    settings = Mawashi::GemSettings.new("").server_settings
    [chosen, origins.of(settings).assoc("environment").last]
  end

  def test_the_section_of_the_environment_wins_over_the_rest_and_flags_over_both
    text = "concurrency: 1\ntimeout: 2\nproduction:\n  concurrency: 7\nstaging:\n  concurrency: 9\n"
    assert_equal 7, read(text)[:concurrency]
    assert_equal 2, read(text)[:timeout]
    assert_equal 5, read(text, concurrency: 5)[:concurrency]
    assert_equal %w[only much,2], read("queues: [a, b]", queues: { "only" => 0, "much" => 2 })[:queues]
  end

  def test_erb_sees_the_environment
    ENV["RAILS_MAX_THREADS"] = "6"
    assert_equal 12, read("concurrency: <%= Integer(ENV['RAILS_MAX_THREADS']) * 2 %>\n")[:concurrency]
    assert_equal 6, read("timeout: 1\n")[:concurrency]
  end

  def test_a_file_named_yml_erb_is_found_too
    write("concurrency: <%= 2 + 2 -%>\n", "config/sidekiq.yml.erb")
    assert_equal 4, read[:concurrency]
  end

  def test_another_file_may_be_given_and_one_for_none
    other = write("concurrency: 11\n", "other.yml")
    assert_equal 11, read("concurrency: 1\n", config_file: other)[:concurrency]
    assert_nil read("concurrency: 1\n", config_file: "")[:concurrency]
    assert_match(/there is no config file .*absent.yml/, refusal(nil, config_file: "#{@folder}/absent.yml"))
  end

  def test_capsules_are_checked_as_the_default_one_is
    options = read("capsules:\n  slow:\n    concurrency: 1\n    queues: [a, 'b,2']\n")
    assert_equal({ slow: { concurrency: 1, queues: ["a", "b,2"] } }, options[:capsules])
    assert_match(/concurrency in capsule slow of .* is "many"/, refusal("capsules:\n  slow:\n    concurrency: many\n"))
    assert_match(/must hold a name with options for each/, refusal("capsules: [slow]\n"))
  end

  def test_names_of_queues_are_taken_as_they_stand
    assert_equal([["tab\t", 0], [" a", 2], [" b ", 3]], queues(%(queues: ["tab\\t", " a,2", [" b ", 3]]\n)))
    assert_match(/" ,1" among the queues/, refusal("queues: [' ,1']\n"))
  end

  def test_any_environment_is_a_name_like_others
    ["", "../../x", "a\nb", "x" * 10_000, "終", "concurrency"].each do |name|
      assert_equal 3, read("timeout: 1\nconcurrency: 3\n", environment: name)[:concurrency] unless name == "concurrency"
    end
    assert_match(/concurrency in .* must hold keys/, assert_raises(Mawashi::Error) do
      read("concurrency: 3\n", environment: "concurrency")
    end.message)
  end

  # All of them are short: what they mean is not.
  def test_aliases_that_mean_a_billion_values_or_themselves_are_refused
    bomb = ("b".."z").reduce("a: &a [x, x]\n") { |text, name| "#{text}#{name}: &#{name} [#{"*#{name.ord.pred.chr}, " * 9}1]\n" }
    [bomb, "a: #{"[" * 60}#{"]" * 60}\n", "queues: &a [*a]\n", "a: &a\n  b: *a\n"].each do |text|
      assert_match(/sidekiq.yml (holds more than 100000 values|is nested deeper than 20)/, refusal(text))
    end
  end

  # Psych calls itself for each level.
  def test_a_file_nested_by_the_thousand_is_refused
    ["[", "{a: ", "- "].zip(["]", "}", ""]).each do |open, close|
      text = "#{"a: " unless close.empty?}#{open * 20_000}1#{close * 20_000}\n"
      assert_match(/sidekiq.yml is nested deeper than 20/, refusal(text))
    end
  end

  def test_a_huge_file_is_refused_unread
    path = write("")
    File.truncate(path, (1 << 31) - 1)
    assert_match(/sidekiq.yml is 2147483647 bytes, at most 1048576/, refusal(nil))
  end

  def test_line_ends_and_encodings_of_others
    assert_equal 3, read("\ufeffconcurrency: 3\r\nqueues: [a]\r\n")[:concurrency]
    write("concurrency: 3\n".encode(Encoding::UTF_16))
    assert_match(/cannot read .*sidekiq.yml/, refusal(nil))
    write("tag: caf\xe9\n".b)
    assert_match(/cannot read .*sidekiq.yml/, refusal(nil))
  end

  def test_an_empty_file_says_nothing
    assert_equal %i[config_file require], read("# all of it is a comment\n").keys.sort
  end

  def test_what_cannot_be_meant_is_refused_with_the_file_and_the_value
    assert_match(/cannot read .*sidekiq.yml: .*line 2/, refusal("queues: [a\n"))
    assert_match(/its ERB raised KeyError: key not found: "NOPE_X"/, refusal("timeout: <%= ENV.fetch('NOPE_X') %>\n"))
    assert_match(/its ERB raised SyntaxError/, refusal("timeout: <%= 1 + %>\n"))
    assert_match(/must hold keys and values, not Array/, refusal("- a\n- b\n"))
    assert_match(/production in .* must hold keys and values/, refusal("production: 5\n"))
    assert_match(/concurrency in .* is 0, must be a whole number from 1 to 100000/, refusal("concurrency: 0\n"))
    assert_match(/timeout in .* is "soon", must be seconds/, refusal("timeout: soon\n"))
    assert_match(/queues in .* must be a list, or weights by name, not "a"/, refusal("queues: a\n"))
    assert_match(/queue a stands twice/, refusal("queues: [a, b, a]\n"))
    assert_match(/\{.*\} among the queues in .* is neither a name/, refusal("queues:\n  - a: 2\n"))
    assert_match(/\["a", 1, 2\] among the queues/, refusal("queues:\n  - [a, 1, 2]\n"))
    assert_match(/weight of queue a in .* is "x"/, refusal("queues: ['a,x']\n"))
    assert_match(/Tried to load unspecified class: Date/, refusal("since: 2026-01-01\n"))
    assert_match(/Tried to load unspecified class: Object/, refusal("a: !ruby/object:Object {}\n"))
  end

  def test_a_thread_count_of_rails_that_is_none_is_refused
    ENV["RAILS_MAX_THREADS"] = "lots"
    assert_match(/RAILS_MAX_THREADS is "lots", must be a whole number/, refusal(nil))
  end
end
