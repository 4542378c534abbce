import ProviderKit

extension SinchProvider {
  /// Source: `senders.md` 7.
  static var smsRoutes: [Route<Sandbox>] {
    let batches: Pattern = "/xms/v1/{plan}/batches"
    let batch: Pattern = "/xms/v1/{plan}/batches/{batch}"
    return [
      .post(batches, as: "sendBatch", onPlan(sendBatch)),
      .deferred(.get, batches, as: "listBatches", onPlan(listBatches)),
      .deferred(.post, "/xms/v1/{plan}/batches/dry_run", as: "dryRunBatch", onPlan(dryRunBatch)),
      .get(batch, as: "fetchBatch", onPlan(fetchBatch)),
      .post(batch, as: "updateBatch", onPlan(updateBatch)),
      .put(batch, as: "replaceBatch", onPlan(replaceBatch)),
      .delete(batch, as: "cancelBatch", onPlan(cancelBatch)),
      .post(
        "/xms/v1/{plan}/batches/{batch}/delivery_feedback", as: "sendDeliveryFeedback",
        onPlan(sendDeliveryFeedback)),
      .get(
        "/xms/v1/{plan}/batches/{batch}/delivery_report", as: "fetchDeliveryReport",
        onPlan(fetchDeliveryReport)),
      .get(
        "/xms/v1/{plan}/batches/{batch}/delivery_report/{recipient}", as: "fetchRecipientReport",
        onPlan(fetchRecipientReport)),
      .deferred(
        .get, "/xms/v1/{plan}/delivery_reports", as: "listDeliveryReports", onPlan(listDeliveryReports)),
      .deferred(.get, "/xms/v1/{plan}/inbounds", as: "listInbounds", onPlan(listInbounds)),
      .get("/xms/v1/{plan}/inbounds/{inbound}", as: "fetchInbound", onPlan(fetchInbound)),
      // Other providers have the path, too.
      Route.post("/oauth2/token", as: "createToken", createSMSToken).hostBound,
    ]
  }
}
