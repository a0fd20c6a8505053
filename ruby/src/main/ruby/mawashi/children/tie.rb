# frozen_string_literal: true

module Mawashi
  module Children
    # Ties a process that was just forked to the one that forked it.
    module Tie
      PR_SET_PDEATHSIG = 1
      PRCTL = { "x86_64" => 157, "aarch64" => 167 }[RbConfig::CONFIG["host_cpu"]]
      KILL = Signal.list["KILL"]
      LINUX = RUBY_PLATFORM.include?("linux")
      private_constant :PR_SET_PDEATHSIG, :PRCTL, :KILL, :LINUX

      # Has the kernel kill this process when its parent ends, also when it hangs in foreign code. Where the
      # kernel cannot, the end of its link shows it.
      #
      # @param parent [Integer] pid of the process that forked this one
      def self.to(parent)
        syscall(PRCTL, PR_SET_PDEATHSIG, KILL) if PRCTL && LINUX
        exit!(1) if Process.ppid != parent
      rescue NotImplementedError
        nil
      end
    end
  end
end
