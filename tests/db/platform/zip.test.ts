import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { zipWriter } from "~/platform/zip.server";

const FAR = 5_000_000_000;

test("beyond 4 GiB and 65,535 entries an archive has the places and numbers of ZIP64", () => {
  const zip = zipWriter({ offset: FAR, entries: 65_535, open: null }, Date.UTC(2026, 10, 18));
  zip.append("a.txt", new TextEncoder().encode("far"));
  zip.close();
  const content = Buffer.concat(zip.takeContent());
  const entries = zip.takeDirectory();
  zip.end(entries);
  const end = Buffer.concat(zip.takeContent());
  const start = FAR + content.length;
  const size = Buffer.concat(entries).length;

  const place = 46 + "a.txt".length;
  expect([end.readUInt32LE(0), end.readUInt32LE(42)]).toEqual([0x02014b50, 0xffff_ffff]);
  expect([end.readUInt16LE(place), end.readUInt16LE(place + 2), end.readBigUInt64LE(place + 4)]).toEqual([
    1,
    8,
    BigInt(FAR),
  ]);
  const large = end.subarray(size);
  expect([large.readUInt32LE(0), large.readBigUInt64LE(32)]).toEqual([0x06064b50, 65_536n]);
  expect([large.readBigUInt64LE(40), large.readBigUInt64LE(48)]).toEqual([BigInt(size), BigInt(start)]);
  expect([large.readUInt32LE(56), large.readBigUInt64LE(64)]).toEqual([0x07064b50, BigInt(start + size)]);
  const short = large.subarray(76);
  expect([short.length, short.readUInt32LE(0), short.readUInt16LE(10), short.readUInt32LE(16)]).toEqual([
    22, 0x06054b50, 0xffff, 0xffff_ffff,
  ]);
});
