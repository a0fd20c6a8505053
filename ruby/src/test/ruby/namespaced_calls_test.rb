# frozen_string_literal: true

require "mawashi/namespaced_calls"

# Commands under an app's namespace, as redis-namespace has it. `NamespaceIT` has the gem itself.
class NamespacedCallsTest < Minitest::Test
  # Notes what it is told.
  class Plain
    def call(*words)
      calls << words
      words.first
    end

    def calls
      @calls ||= []
    end

    def pipelined
      yield self
    end
  end

  Namespace = Struct.new(:redis, :namespace) do
    def full_namespace
      redis.is_a?(Namespace) ? "#{redis.full_namespace}:#{namespace}" : namespace
    end
  end

  def setup
    @is_ours = !defined?(::Redis)
    Object.const_set(:Redis, Class.new) if @is_ours
    @before = ::Redis::Namespace if defined?(::Redis::Namespace)
    ::Redis.send(:remove_const, :Namespace) if @before
    ::Redis.const_set(:Namespace, Namespace)
    @plain = Plain.new
    @calls = Mawashi::NamespacedCalls.on(Namespace.new(@plain, "myapp"))
  end

  def teardown
    ::Redis.send(:remove_const, :Namespace)
    ::Redis.const_set(:Namespace, @before) if @before
    Object.send(:remove_const, :Redis) if @is_ours
  end

  def test_the_key_of_a_command_gets_it
    assert_equal "LRANGE", @calls.call("LRANGE", "list", "0", "-1")
    @calls.pipelined { |pipeline| pipeline.call("SADD", "set", "a", "b") }

    assert_equal [%w[LRANGE myapp:list 0 -1], %w[SADD myapp:set a b]], @plain.calls
  end

  def test_the_keys_of_a_script_get_it_and_no_other_word
    @calls.call("EVALSHA", "sha", "2", "a", "b", "c")
    @calls.call("EVAL", "text", 0, "c")

    assert_equal [%w[EVALSHA sha 2 myapp:a myapp:b c], ["EVAL", "text", 0, "c"]], @plain.calls
  end

  def test_of_one_in_another_both_count
    inner = Namespace.new(Namespace.new(@plain, "outer"), "inner")
    Mawashi::NamespacedCalls.on(inner).call("GET", "a")

    assert_equal [%w[GET outer:inner:a]], @plain.calls
    assert_same @plain, Mawashi::NamespacedCalls.below(inner)
  end

  def test_any_other_connection_stays_as_it_is
    assert_same @plain, Mawashi::NamespacedCalls.on(@plain)
    assert_same @plain, Mawashi::NamespacedCalls.below(@plain)
  end
end
