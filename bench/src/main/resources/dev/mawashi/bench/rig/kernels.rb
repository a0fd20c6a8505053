# frozen_string_literal: true

# The app of the kernels benchmark: jobs that compute in Ruby itself, each some hundred microseconds to some
# milliseconds, and the job of sha.rb. Each checks a part of what it has made.
require "csv"
require "erb"
require "json"
require_relative "sha"

# A page with a table, as mails and reports have them. The template is compiled once, as by template engines.
class TemplateJob
  include Job
  ROWS = 40
  ERB.new(<<~HTML, trim_mode: "-").def_method(self, "page(title, rows)")
    <html><head><title><%= ERB::Util.html_escape(title) %></title></head><body>
    <table>
    <%- rows.each_with_index do |row, index| -%>
      <tr class="<%= index.even? ? "even" : "odd" %>">
        <td><%= ERB::Util.html_escape(row[:name]) %></td>
        <td><%= format("%.2f", row[:cents] / 100.0) %></td>
        <td><%= row[:tags].map { |tag| tag.capitalize }.join(", ") %></td>
      </tr>
    <%- end -%>
    </table>
    <p><%= rows.sum { |row| row[:cents] } %></p>
    </body></html>
  HTML

  def perform(number)
    rows = Array.new(ROWS) { |n| { name: "item <#{number}> & #{n}", cents: number % 900 + n, tags: %w[new sale] } }
    html = page("Order #{number}", rows)
    raise "the page lacks rows" unless html.scan("<tr").size == ROWS

    Tally.add
  end
end

# Records from JSON, filtered, grouped and summed, to JSON.
class JsonJob
  include Job
  TEXT = JSON.generate(
    Array.new(100) { |n| { id: n, city: "city #{n % 7}", cents: 100 + n * 37 % 900, paid: n % 3 != 0, tags: ["t#{n % 5}"] } }
  )

  def perform(number)
    paid = JSON.parse(TEXT).select { |row| row["paid"] }
    cities = paid.group_by { |row| row["city"] }.map do |city, rows|
      tags = rows.flat_map { |row| row["tags"] }.tally.sort_by { |tag, count| [-count, tag] }.to_h
      { city: city.upcase, orders: rows.size, cents: rows.sum { |row| row["cents"] + number % 10 }, tags: tags }
    end
    sorted = cities.sort_by { |city| [-city[:cents], city[:city]] }
    raise "JSON lacks cities" unless JSON.parse(JSON.generate(sorted)).size == 7

    Tally.add
  end
end

# A table from CSV, and integers of many digits.
class CsvJob
  include Job
  TEXT = CSV.generate do |csv|
    csv << %w[id name cents]
    60.times { |n| csv << [n, "item \"#{n}\", large", 100 + n * 37 % 900] }
  end

  def perform(number)
    product = 1
    sum = 0
    CSV.parse(TEXT, headers: true).each do |row|
      cents = Integer(row["cents"]) + number % 10
      product *= cents
      sum += cents**9 % 1_000_000_007
    end
    digits = product.to_s.each_char.sum(&:to_i)
    raise "digits differ" unless (digits - product) % 9 == 0 && sum.positive?

    Tally.add
  end
end
