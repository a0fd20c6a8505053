# frozen_string_literal: true

module Mawashi
  module Children
    # The notes of a process on the jobs that its threads run, and on those that ended well: eight bytes per job in a file
    # that is mapped into memory, so that the server can read it however the process ended, and a note costs no
    # system call. `children/Marks.java` reads it.
    #
    # Each thread has a row of places that it goes round in. A job is noted once, when it begins; that the one before
    # it in this row ended well is noted with it.
    class RunningMarks
      MARK = "Q>"
      MARK_BYTES = 8
      # More than a thread can have ended unreported: they are reported by the 128, and whoever reports waits until the
      # kernel has it.
      PLACES = 256
      # Added to an id: the job in the place before ended well. Ids stay below it, and both together are an Integer
      # that Ruby allocates no memory for.
      WELL = 1 << 61
      PROT_READ_WRITE = 3
      MAP_SHARED = 1

      class << self
        # All of the file is written at once: where its folder is full, to touch memory of it that was never
        # written would kill this process.
        #
        # @param path [String] of the file
        # @return [RunningMarks] notes nothing where that is impossible. Then there is no file, and the server
        #   takes every job that it sent for one that may have run
        def open(path, threads)
          File.open(path, "w+b") do |file|
            file.write("\0" * (threads * PLACES * MARK_BYTES))
            file.flush
            new(defined?(IO::Buffer) ? buffer(file) : Mapping.new(file), threads)
          end
        rescue LoadError, NotImplementedError, SystemCallError, IOError => e
          $stderr.puts "cannot note which jobs run (#{e.message}): should this child die, all that it holds count " \
                       "as running"
          discard(path)
          new(Nothing.new, threads)
        end

        private

        # Ruby has it from 3.1 on.
        def buffer(file)
          was = Warning[:experimental]
          Warning[:experimental] = false
          IO::Buffer.map(file)
        ensure
          Warning[:experimental] = was
        end

        def discard(path)
          File.delete(path)
        rescue SystemCallError
          nil
        end
      end

      # @param memory [#set_value]
      def initialize(memory, threads)
        @rows = Array.new(threads) { |number| Row.new(memory, number * PLACES * MARK_BYTES) }
      end

      # @param thread [Integer] from 0
      # @return [Row] always the same
      def row(thread)
        @rows[thread]
      end

      # The places of one thread, which alone uses it.
      class Row
        def initialize(memory, first)
          @memory = memory
          @first = @place = first
          @last = first + (PLACES - 1) * MARK_BYTES
          @well = 0
        end

        # A job begins.
        #
        # @param id [Integer]
        def mark(id)
          note = id | @well
          # First: whatever ends this thread's work here, the next job must not say it of this one.
          @well = 0
          @memory.set_value(:U64, @place, note)
          @place = @place == @last ? @first : @place + MARK_BYTES
        end

        # The job that began last ended well. It is noted with the next one.
        def done
          @well = WELL
        end

        # Notes it now, since the next one may be long in coming.
        def rest
          @memory.set_value(:U64, @place, @well)
        end
      end

      # Memory by Fiddle, for older Rubies.
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
        end

        # As `IO::Buffer` has it.
        def set_value(_type, offset, value)
          @memory[offset, MARK_BYTES] = [value].pack(MARK)
        end
      end

      # Stands in where memory cannot be mapped.
      class Nothing
        # (see Mapping#set_value)
        def set_value(_type, _offset, _value)
          nil
        end
      end
    end
  end
end
