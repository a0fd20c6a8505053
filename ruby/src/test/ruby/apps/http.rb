# frozen_string_literal: true

require "net/http"

# A connection that does not connect, whose methods nobody may list.
class Unlisted < Net::HTTP
  def start
    self
  end

  def methods(*)
    raise "all methods were listed"
  end
end
