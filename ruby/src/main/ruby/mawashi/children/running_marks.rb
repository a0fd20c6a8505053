# frozen_string_literal: true

module Mawashi
  module Children
    # Where the threads of a process note which job they run: eight bytes a thread in a file that is mapped
    # into memory, so that the server can read it however the process ended, and a note costs no system
    # call.
    class RunningMarks
      MARK = "Q>"
      MARK_BYTES = 8
      PROT_READ_WRITE = 3
      MAP_SHARED = 1

      class << self
        # @param path [String] of a file of 8 bytes a thread
        # @return [#mark] notes nothing where this Ruby cannot map memory; the server then takes every job
        #   it sent for one that may have run
        def open(path, threads)
          File.open(path, "w+b") do |file|
            file.truncate(threads * MARK_BYTES)
            defined?(IO::Buffer) ? Buffer.new(file) : Mapping.new(file)
          end
        rescue LoadError, NotImplementedError, SystemCallError, IOError
          File.truncate(path, 0)
          Nothing.new
        end
      end

      # By `IO::Buffer`, which Ruby has from 3.1 on.
      class Buffer
        def initialize(file)
          was = Warning[:experimental]
          Warning[:experimental] = false
          @buffer = IO::Buffer.map(file)
        ensure
          Warning[:experimental] = was
        end

        # @param thread [Integer] from 0
        # @param id [Integer] of the job that it runs from now on, 0 for none
        def mark(thread, id)
          @buffer.set_value(:U64, thread * MARK_BYTES, id)
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
        end

        # (see Buffer#mark)
        def mark(thread, id)
          @memory[thread * MARK_BYTES, MARK_BYTES] = [id].pack(MARK)
        end
      end

      # Where memory cannot be mapped.
      class Nothing
        # (see Buffer#mark)
        def mark(_thread, _id)
          nil
        end
      end
    end
  end
end
