/*
 * Which of the known holes that the registry reports are in what is shipped: in production dependencies, and in
 * packages of which the build has put code into the worker or a browser's script.
 */

const LEVELS = ["high", "critical"];

/** Returns the folders in `node_modules` of all packages that production needs, from the lockfile. */
export const productionPackages = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== "" && !dev && !optional && !devOptional)
    .map(([path]) => path);

/** Returns the folders in `node_modules` of the packages that these files belong to. */
export const packagesOf = (files) =>
  new Set(files.map((file) => /(?:^|\/)(node_modules\/.*)$/.exec(file.replaceAll("\\", "/"))?.[1]).flatMap(folderOf));

/** Returns the folder of the innermost package of a file. */
function folderOf(file) {
  const match = file && /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return match ? [match[1]] : [];
}

/**
 * Returns the high and critical findings in these packages, from the output of `npm audit --json`. Each names the hole
 * itself; a package that only depends on it is not repeated.
 */
export function findingsIn({ vulnerabilities }, shipped) {
  return Object.entries(vulnerabilities).flatMap(([name, { nodes, via }]) => {
    const places = nodes.filter((node) => shipped.has(node));
    if (places.length === 0) return [];
    return via
      .filter((cause) => typeof cause === "object" && LEVELS.includes(cause.severity))
      .map(({ severity, title, url, range }) => ({ name, severity, title, url, range, places }));
  });
}

/** Tells whether the registry has answered. Some mirrors have the packages and no list of holes. */
export const isReport = (output) => typeof output === "object" && output !== null && "vulnerabilities" in output;
