# frozen_string_literal: true

require "mawashi/children/link"
require "mawashi/children/report"

# What goes over a link is bytes, whatever texts it is made of.
class LinkTest < Minitest::Test
  # Longer than 127 bytes, so that the frame's length is no ASCII either.
  NAMES = ["été", "e\u0301", "очередь", "仕事" * 100, "🥋", "مهمة", "שלום"].freeze
  Settings = Struct.new(:version, :counts_runs?, :server_settings, :app_redis)

  def test_a_text_of_any_script_and_encoding_comes_through
    here, there = UNIXSocket.pair.map { |socket| Mawashi::Children::Link.new(socket) }
    ["", "x" * 200, *NAMES, *NAMES.map(&:b), "\xFF" * 200, "é".encode("ISO-8859-1")].each do |text|
      here.write("S", text)
      assert_equal ["S", text.b], there.read
    end
  ensure
    [here, there].each(&:close)
  end

  # In the locale C what comes from flags and files has not the encoding of what stands in the app's source.
  def test_the_report_joins_texts_of_any_encoding
    tag, *labels = NAMES
    queues = NAMES.map { |name| [name.b, 0] }
    values = [25, tag.b, labels, 25, 10_000, 1, [["défaut", 5, queues]], [["tag", "", "-g"]], "[]"]
    settings = Settings.new("6.4.1", true, values, ["redis://hôte/0", "no: \xE9"])
    told = Mawashi::Children::Report.of(settings)

    NAMES.each { |name| assert_includes told.split("\0"), name.b }
    assert_includes told, "défaut".b
    assert told.end_with?("\0redis://hôte/0\0no: \xE9".b)
  end
end
