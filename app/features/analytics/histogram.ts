import { type Duration, minutes } from "~/lib/time";

/**
 * Counts times in buckets whose bounds grow by a tenth: below a minute, then from 1 to 1.1 minutes, from 1.1 to 1.21
 * and so on. What is read from it is the middle of a bucket, so it is wrong by less than 5 %, or by half a minute.
 */
const GROWTH = 1.1;

/** Says how exact medians and percentiles are; printed beside them. */
export const PRECISION = "within 5% or half a minute";

/** Returns the bucket of a time. */
export const bucketOf = (time: Duration): number => {
  const length = time / minutes(1);
  return length < 1 ? 0 : 1 + Math.floor(Math.log(length) / Math.log(GROWTH) + 1e-9);
};

/** Returns the time in the middle of a bucket, in proportion. */
const middleOf = (bucket: number): Duration => minutes(bucket === 0 ? 0.5 : GROWTH ** (bucket - 0.5));

/** Counts times by bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** Describes how long something took, of so many cases. Null: there are none. */
export type Times = { n: number; median: Duration | null; p90: Duration | null; mean: Duration | null };

/** Returns the time at a rank, from 1 for the shortest. */
function timeAt(histogram: Histogram, rank: number): Duration {
  let left = rank;
  for (const bucket of [...histogram.keys()].sort((one, other) => one - other)) {
    left -= histogram.get(bucket) ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  throw new RangeError("There are fewer cases than that");
}

/**
 * Returns median, 90th percentile and mean. The mean is exact. The median of an even number of cases is the mean of the
 * two in the middle; the 90th percentile is the time within which nine of ten were done.
 */
export function timesOf(histogram: Histogram, sum: Duration): Times {
  let n = 0;
  for (const count of histogram.values()) n += count;
  if (n === 0) return { n, median: null, p90: null, mean: null };
  const median = (timeAt(histogram, Math.floor((n + 1) / 2)) + timeAt(histogram, Math.ceil((n + 1) / 2))) / 2;
  return { n, median, p90: timeAt(histogram, Math.ceil(0.9 * n)), mean: sum / n };
}
