/** How well scores rank evidence. */

/** Area under the ROC curve, ties counted half; NaN when labels are of one class. */
export function auc(scores: ArrayLike<number>, labels: ArrayLike<number>): number {
  const order = Array.from({ length: scores.length }, (_, i) => i).sort((a, b) => (scores[a] as number) - (scores[b] as number));
  let rankSum = 0;
  let positives = 0;
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && scores[order[to] as number] === scores[order[from] as number]) to++;
    for (let k = from; k < to; k++) {
      if ((labels[order[k] as number] as number) === 0) continue;
      rankSum += (from + to + 1) / 2;
      positives++;
    }
    from = to;
  }
  const negatives = order.length - positives;
  return positives > 0 && negatives > 0 ? (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives) : Number.NaN;
}
