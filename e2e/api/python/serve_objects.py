"""Serves S3 with one bucket and one user, and checks the signature of every later request."""

import json
import os
import threading

# Four requests prepare the bucket and the user. Each one after them needs a signature.
os.environ["INITIAL_NO_AUTH_ACTION_COUNT"] = "4"

import boto3
from moto.server import ThreadedMotoServer

REGION = "eu-central-1"
BUCKET = "evidence"
POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
}

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
url = f"http://{host}:{port}"
anybody = {
    "endpoint_url": url,
    "region_name": REGION,
    "aws_access_key_id": "anybody",
    "aws_secret_access_key": "anybody",
}
iam = boto3.client("iam", **anybody)
iam.create_user(UserName="svc")
iam.put_user_policy(UserName="svc", PolicyName="objects", PolicyDocument=json.dumps(POLICY))
key = iam.create_access_key(UserName="svc")["AccessKey"]
boto3.client("s3", **anybody).create_bucket(
    Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION}
)
print(
    json.dumps(
        {
            "url": url,
            "region": REGION,
            "bucket": BUCKET,
            "access_key_id": key["AccessKeyId"],
            "secret_access_key": key["SecretAccessKey"],
        }
    ),
    flush=True,
)
threading.Event().wait()
