/** The eviction scorer's worker: learns from the user's log off the page's thread. */

import { createLearnerService } from "../src/lre/learner-service.js";
import { expose } from "../src/rpc/endpoint.js";

expose(createLearnerService());
