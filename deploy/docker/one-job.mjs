/** Creates an organization and takes one job from its creation to its end. @throws Error names the call that failed */
export async function sendOneJob(baseUrl, adminKey) {
  const slug = `proof-${Date.now().toString(36)}`;
  const { api_key: key } = await post('/organizations', { name: 'Proof', slug }, { 'x-admin-key': adminKey });
  const credential = { authorization: `Bearer ${key.key}` };
  const { id } = await post('/jobs', { queue_name: 'proof', payload: { hello: 'image' } }, credential);
  const { jobs } = await post('/jobs/claim', { queue_name: 'proof', worker_id: 'proof' }, credential);
  if (jobs[0]?.id !== id) throw new Error('the job could not be claimed');
  await post(`/jobs/${id}/complete`, { worker_id: 'proof', lease_id: jobs[0].lease_id, result: 'done' }, credential);

  async function post(path, body, headers) {
    const answer = await fetch(`${baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  }
}
