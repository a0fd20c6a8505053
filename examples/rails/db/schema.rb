# frozen_string_literal: true

ActiveRecord::Schema.define(version: 1) do
  create_table :accounts, force: :cascade do |t|
    t.string :owner, null: false
    t.integer :balance, null: false, default: 0
  end

  create_table :transfers, force: :cascade do |t|
    t.references :from, null: false
    t.references :to, null: false
    t.integer :amount, null: false
    t.integer :pid, null: false # of the process that made it
  end

  create_table :statements, force: :cascade do |t|
    t.references :account, null: false
    t.integer :balance, null: false
    t.integer :pid, null: false
  end
end
