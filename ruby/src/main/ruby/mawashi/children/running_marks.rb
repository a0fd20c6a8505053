# frozen_string_literal: true

module Mawashi
  module Children
    # Where a process notes which jobs ended well last, and its threads which job they run: eight bytes a job in
    # a file that is mapped into memory, so that the server can read it however the process ended, and a note
    # costs no system call. `children/Marks.java` reads it.
    class RunningMarks
      MARK = "Q>"
      MARK_BYTES = 8
      # Jobs that ended well, each in the place of the oldest one. The server has a child hold 500 beside those that
      # run; an untold one whose place is taken runs again.
      DONE_MAX = 1_024
      PROT_READ_WRITE = 3
      MAP_SHARED = 1

      class << self
        # All of the file is written at once: where its folder is full, to touch memory of it that was never
        # written would kill this process.
        #
        # @param path [String] of the file
        # @return [#mark, #done] notes nothing where that is impossible. Then there is no file, and the server
        #   takes every job that it sent for one that may have run
        def open(path, threads)
          File.open(path, "w+b") do |file|
            file.write("\0" * ((DONE_MAX + threads) * MARK_BYTES))
            file.flush
            defined?(IO::Buffer) ? Buffer.new(file) : Mapping.new(file)
          end
        rescue LoadError, NotImplementedError, SystemCallError, IOError => e
          warn "cannot note which jobs run (#{e.message}): should this child die, all that it holds count as running"
          discard(path)
          Nothing.new
        end

        private

        def discard(path)
          File.delete(path)
        rescue SystemCallError
          nil
        end
      end

      # By `IO::Buffer`, which Ruby has from 3.1 on.
      class Buffer
        def initialize(file)
          was = Warning[:experimental]
          Warning[:experimental] = false
          @buffer = IO::Buffer.map(file)
          @last = 0
        ensure
          Warning[:experimental] = was
        end

        # @param thread [Integer] from 0
        # @param id [Integer] of the job that it runs from now on, 0 for none
        def mark(thread, id)
          @buffer.set_value(:U64, (DONE_MAX + thread) * MARK_BYTES, id)
        end

        # One thread at a time.
        #
        # @param id [Integer] of a job that ended well
        def done(id)
          @buffer.set_value(:U64, @last * MARK_BYTES, id)
          @last = (@last + 1) % DONE_MAX
        end
      end

      # By Fiddle, for older Rubies.
      class Mapping
        def initialize(file)
          require "fiddle"
          map = Fiddle::Function.new(
            Fiddle::Handle::DEFAULT["mmap"],
            [Fiddle::TYPE_VOIDP, Fiddle::TYPE_SIZE_T, Fiddle::TYPE_INT, Fiddle::TYPE_INT, Fiddle::TYPE_INT, Fiddle::TYPE_LONG],
            Fiddle::TYPE_VOIDP
          )
          address = map.call(nil, file.size, PROT_READ_WRITE, MAP_SHARED, file.fileno, 0)
          raise NotImplementedError, "mmap" if address.to_i == -1 || address.to_i == 2**(8 * Fiddle::SIZEOF_VOIDP) - 1

          @memory = Fiddle::Pointer.new(address.to_i, file.size)
          @last = 0
        end

        # (see Buffer#mark)
        def mark(thread, id)
          @memory[(DONE_MAX + thread) * MARK_BYTES, MARK_BYTES] = [id].pack(MARK)
        end

        # (see Buffer#done)
        def done(id)
          @memory[@last * MARK_BYTES, MARK_BYTES] = [id].pack(MARK)
          @last = (@last + 1) % DONE_MAX
        end
      end

      # Where memory cannot be mapped.
      class Nothing
        # (see Buffer#mark)
        def mark(_thread, _id)
          nil
        end

        # (see Buffer#done)
        def done(_id)
          nil
        end
      end
    end
  end
end
