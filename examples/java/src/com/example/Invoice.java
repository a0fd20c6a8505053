package com.example;

import dev.mawashi.job.JavaJob;
import dev.mawashi.job.JobContext;
import java.math.BigDecimal;
import java.util.List;

/// Adds up an order. Its arguments are a number, which may not be larger than an `int`, and a list
/// of JSON objects, which arrive as records.
public final class Invoice implements JavaJob {
    public record Item(String name, int count, BigDecimal price) {
        public Item {
            if (count < 1) {
                throw new IllegalArgumentException(name + ": the count is " + count);
            }
        }

        BigDecimal total() {
            return price.multiply(BigDecimal.valueOf(count));
        }
    }

    public void perform(JobContext context, int number, List<Item> items) {
        BigDecimal sum = items.stream().map(Item::total).reduce(BigDecimal.ZERO, BigDecimal::add);
        // In one piece: other threads print too.
        System.out.println("Invoice %d: %s (job %s)".formatted(number, sum, context.jid()));
    }
}
