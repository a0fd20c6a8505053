# frozen_string_literal: true

# An app that does not load.
raise ArgumentError, "no settings here"
