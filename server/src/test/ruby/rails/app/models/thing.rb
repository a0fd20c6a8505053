# frozen_string_literal: true

# Found by its id, as a record is, until it is gone.
class Thing
  include GlobalID::Identification

  attr_reader :id

  def initialize(id)
    @id = id
  end

  def self.find(id)
    raise KeyError, "no thing #{id}" if id == "gone"

    new(id)
  end
end
