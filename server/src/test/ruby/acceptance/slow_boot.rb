# frozen_string_literal: true

# An app that is not loaded before the test opens the gate.
require_relative "app"

Ledger.note("loading")
Ledger.pass("loaded")
