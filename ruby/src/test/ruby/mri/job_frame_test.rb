# frozen_string_literal: true

require "mawashi/children/job_frame"

# Frames of jobs, of which a child parses all payloads at once where it may.
class JobFrameTest < Minitest::Test
  GOOD = '{"class":"SumJob","args":[1,{"終":null}],"jid":"1"}'
  # Alone it is as deep as JSON.parse takes it.
  DEEP = %({"args":#{"[" * 99}#{"]" * 99}})
  # Together they are an array of three objects, one of which has swallowed a job.
  BROKEN = ['{"args":[1', GOOD, "2]},{},{}"].freeze

  def test_jobs_come_parsed_with_the_names_of_their_queues
    body = frame([[7, "a", GOOD], [8, nil, '{"class":"X"}'], [2**40, "終", "{}"], [9, "a", "{}"]])

    assert_equal [[7, "a", JSON.parse(GOOD)], [8, "a", { "class" => "X" }], [2**40, "終", {}], [9, "a", {}]],
                 parsed(body).map { |job| job.first(3) }
  end

  def test_the_text_of_a_parsed_job_is_still_there
    body = frame([[7, "a", GOOD], [8, nil, '{"class":"X"}'], [2**40, "終", "{}"]])
    texts = parsed(body).map { |id, _, _, frame| Mawashi::Children::JobFrame.text(frame, id) }

    assert_equal [GOOD.b, '{"class":"X"}', "{}"], texts
  end

  def test_jobs_come_as_they_are_where_nobody_wants_them_parsed
    body = frame([[7, "a", GOOD], [8, nil, "{}"], [9, "終", DEEP]])
    texts = []
    Mawashi::Children::JobFrame.each(body) { |job| texts << job }

    assert_equal [[7, "a", GOOD.b], [8, "a", "{}"], [9, "終", DEEP]], texts
  end

  def test_it_says_until_when_jobs_may_begin
    assert_equal(-3, Mawashi::Children::JobFrame.until(frame([[7, "a", GOOD]])))
  end

  def test_payloads_that_are_no_objects_keep_to_themselves
    body = frame(BROKEN.map { |text| [1, "a", text] }, together: false)

    assert_equal BROKEN.map(&:b), parsed(body).map(&:last)
  end

  def test_one_that_can_be_parsed_only_alone_leaves_all_as_they_are
    assert_equal [GOOD.b, DEEP], parsed(frame([[1, "a", GOOD], [2, "a", DEEP]])).map(&:last)
  end

  def test_what_is_no_array_of_as_many_objects_is_not_taken
    assert_equal ["{},{}"], parsed(frame([[1, "a", "{},{}"]])).map(&:last)
    assert_equal %w[1 {}], parsed(frame([[1, "a", "1"], [2, "a", "{}"]])).map(&:last)
  end

  private

  # @param jobs [Array<Array(Integer, String, String)>] id, queue (nil: the one before) and payload of each
  def frame(jobs, together: true)
    names = jobs.filter_map { |_, queue, _| queue&.b }
    heads = jobs.map { |id, queue, text| [id, queue&.bytesize || 0xffff, text.bytesize].pack("Q>nN") }
    texts = "[#{jobs.map { |_, _, text| text.dup.force_encoding(Encoding::UTF_8) }.join(",")}]".b
    [together ? 1 : 0, jobs.size, names.sum(&:bytesize), -3].pack("CNNq>") << heads.join << names.join << texts
  end

  def parsed(body)
    jobs = []
    Mawashi::Children::JobFrame.each_parsed(body) { |job| jobs << job }
    jobs
  end
end
