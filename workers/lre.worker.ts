/** The learning worker: learns from the person's log which turns are needed, where nobody waits for it. */

import { learnFromLog } from "../src/lre/learner-service.js";
import { serveTrainer } from "../src/rpc/lre-server.js";

serveTrainer({ learn: learnFromLog });
