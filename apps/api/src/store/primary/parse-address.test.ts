import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AddressError, nameOfHost, parseAddress } from "./parse-address.ts";

const hostsOf = (url: string) => parseAddress(url).hosts.map(nameOfHost);

describe("the address of a database", () => {
  it("is one host, or libpq's list of hosts, each with its own port", () => {
    assert.deepEqual(hostsOf("postgres://me:secret@one/db"), ["one:5432"]);
    assert.deepEqual(hostsOf("postgresql://me@one:6000,two,[::1]:5434,10.0.0.3:5435/db?sslmode=disable"), ["one:6000", "two:5432", "[::1]:5434", "10.0.0.3:5435"]);
    assert.deepEqual(hostsOf("postgres://one:,two?dbname=x"), ["one:5432", "two:5432"]);
  });

  it("keeps name, password, database and parameters for every host", () => {
    const { firstUrl } = parseAddress("postgres://me%40home:p%2Fw%40,x@one:1,two:2/data%20base?options=-c%20jit%3Don&target_session_attrs=read-write");
    assert.equal(firstUrl.href, "postgres://me%40home:p%2Fw%40,x@one:1/data%20base?options=-c+jit%3Don");
  });

  it("may name a Unix socket, or a host, as a parameter, as node-postgres lets it", () => {
    assert.deepEqual(parseAddress("postgres://me@localhost/db?host=/run/postgresql").hosts, [{ host: "/run/postgresql", port: 5432 }]);
    assert.deepEqual(hostsOf("postgres://me@one:1/db?host=two&port=2"), ["two:2"]);
  });

  it("is refused without repeating any of it", () => {
    for (const list of ["", ",", "one,", ",two", "one:0", "one,two:65536", "one:x,two", "[::1", "a b", "one:1:2,two"]) {
      assert.throws(
        () => parseAddress(`postgres://me:hunter2@${list}/db`),
        (error) => error instanceof AddressError && !/hunter2|one|two/.test(error.message.replace("one of", "")),
        list,
      );
    }
  });
});
