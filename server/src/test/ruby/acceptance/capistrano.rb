# frozen_string_literal: true

# The words of Capistrano and SSHKit that the guide's recipe uses; commands run here. Runs the tasks that follow the
# publication of a release.
#
#   ruby capistrano.rb DEPLOY_RB REDIS_URL

@settings = { redis_url: ARGV.fetch(1) }
@tasks = {}
@after = []

def set(name, value) = @settings[name] = value

def fetch(name) = @settings.fetch(name)

def namespace(name)
  @space = name
  yield
end

def task(name, &block) = @tasks["#{@space}:#{name}"] = block

def after(event, task)
  @after << task if event == "deploy:published"
end

def primary(role) = role

def on(_host) = yield

def with(environment)
  environment.each { |name, value| ENV[name.to_s.upcase] = value }
  yield
end

def execute(*words)
  system(*words.map(&:to_s)) || abort("cap aborted!")
end

ENV.delete("REDIS_URL")
eval(File.read(ARGV.fetch(0)), binding, ARGV.fetch(0))
@after.each { |name| @tasks.fetch(name).call }
