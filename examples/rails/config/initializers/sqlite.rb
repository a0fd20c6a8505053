# frozen_string_literal: true

# Waits for others that write as long as `timeout` in database.yml says. Up to Rails 7.0 SQLite does that by
# itself, and meanwhile no thread of the process can run, not even the one that is waited for.
module PatientSqlite
  PAUSE = 0.005

  private

  def configure_connection
    super
    tries = @config.fetch(:timeout, 5_000).to_i / (PAUSE * 1_000)
    @connection.busy_handler { |count| count < tries && sleep(PAUSE) }
  end
end

if ActiveRecord.version < Gem::Version.new("7.1")
  ActiveSupport.on_load(:active_record_sqlite3adapter) { prepend PatientSqlite }
end
