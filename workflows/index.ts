export { bulkProvisioning } from './bulkProvisioning';
export { webhookDelivery } from './webhookDelivery';
