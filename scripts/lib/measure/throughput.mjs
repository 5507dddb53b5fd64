import { Agent, get } from "node:http";

const CONNECTIONS = 8;

/**
 * Measures requests per second of some addresses, in alternating rounds, so that a busy moment of the machine hits all
 * of them alike. The load runs on the same cores as the server: only the ratios mean something. `targets`: `{name, url,
 * headers}`, headers made anew for each request. Returns the median round by name.
 */
export async function throughput(targets, { rounds, milliseconds }) {
  const results = Object.fromEntries(targets.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const target of targets) {
      const rate = await measure(target, milliseconds);
      // The first round warms up.
      if (round > 0) results[target.name].push(rate);
    }
  }
  return Object.fromEntries(Object.entries(results).map(([name, rates]) => [name, Math.round(median(rates))]));
}

async function measure({ url, headers = () => ({}) }, milliseconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const started = performance.now();
  let answered = 0;
  const client = async () => {
    while (performance.now() - started < milliseconds) {
      await request(url, { agent, headers: headers() });
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  return answered / ((performance.now() - started) / 1000);
}

function request(url, options) {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.once("end", resolve);
    }).once("error", reject);
  });
}

const median = (numbers) => numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)];
