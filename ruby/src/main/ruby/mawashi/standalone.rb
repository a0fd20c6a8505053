# frozen_string_literal: true

# Loaded by `mawashi jruby` before all else. JRuby's home is in a jar, where no gem can be installed and whence no
# program can be started.

# Without GEM_HOME gems go to the user's folder, where a server finds them too.
Gem.paths = { "GEM_HOME" => Gem.user_dir } if defined?(Gem.user_dir) && ENV["GEM_HOME"].to_s.empty?

# JRuby has put the bare call of a JVM there, which Rake prefers to RbConfig.ruby, the launcher.
require "jruby/util"
ENV.delete("RUBY") if ENV["RUBY"] == JRuby::Util.classpath_launcher
