# Sourced by ./mawashi. The Ruby inside, for an app's tests, for irb, gem and bundle.

# Sets `words` to those of JRuby's command line, and adds to `flags` what the JVM is to know. As JRuby's own launcher it
# puts those of JRUBY_OPTS first, and hands what follows -J to the JVM.
choose_words_of_jruby() { # the words of the caller
    local word programs=$home/bin/jruby
    words=(-ruri:classloader:/mawashi/standalone.rb)
    for word in ${JRUBY_OPTS:-}; do
        case $word in -J?*) flags+=("${word#-J}") ;; *) words+=("$word") ;; esac
    done
    while case ${1:-} in -J?*) ;; *) false ;; esac do
        flags+=("${1#-J}")
        shift
    done
    words+=("$@")
    # What it starts as `ruby`, by name or as RbConfig.ruby, is to be this Ruby and not the machine's.
    flags+=("-Djruby.bindir=$programs")
    case :$PATH: in *":$programs:"*) ;; *) export PATH=$programs:$PATH ;; esac
}
