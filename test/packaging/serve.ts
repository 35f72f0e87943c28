/** A static file server for built consumers: any base path, any headers, real MIME types. */

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".map": "application/json",
  ".wasm": "application/wasm",
};

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** @param options.base path under which the folder is served, "/" by default
 * @param options.csp a Content-Security-Policy for every response
 * @param options.types overrides of MIME types by extension */
export async function serve(
  folder: string,
  options: { readonly base?: string; readonly csp?: string; readonly types?: Readonly<Record<string, string>> } = {},
): Promise<Served> {
  const base = options.base ?? "/";
  const types = { ...TYPES, ...options.types };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const file = join(folder, normalize(path.slice(base.length) || "index.html"));
    if (!path.startsWith(base) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end(`nothing at ${path}`);
      return;
    }
    response.writeHead(200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
      ...(options.csp ? { "content-security-policy": options.csp } : {}),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((listening) => server.listen(0, "localhost", listening));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${base}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
