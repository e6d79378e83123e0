"""The conversation with Bedrock: over Converse, or over InvokeModel with Anthropic's messages."""

import json

import boto3
from botocore.config import Config
from conversation import (
    ANTHROPIC_TOOL,
    PARAMETERS,
    QUESTION,
    REFUSED,
    ROOT_URL,
    SYSTEM,
    expect_refusal,
    weather_in,
)

BEDROCK_CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"


def bedrock_client():
    return boto3.client(
        "bedrock-runtime",
        endpoint_url=ROOT_URL,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
        config=Config(retries={"total_max_attempts": 1}),
    )


def converse(client) -> None:
    """The second turn is streamed, the third refused."""
    tool = {"name": "get_weather", "inputSchema": {"json": PARAMETERS}}
    settings = {
        "modelId": BEDROCK_CLAUDE,
        "system": [{"text": SYSTEM}],
        "inferenceConfig": {"maxTokens": 200},
        "toolConfig": {"tools": [{"toolSpec": tool}]},
    }
    messages = [{"role": "user", "content": [{"text": QUESTION}]}]
    calling = client.converse(messages=messages, **settings)["output"]["message"]
    use = calling["content"][0]["toolUse"]
    result = {"toolUseId": use["toolUseId"], "content": [{"json": weather_in(**use["input"])}]}
    messages += [calling, {"role": "user", "content": [{"toolResult": result}]}]
    for _ in client.converse_stream(messages=messages, **settings)["stream"]:
        pass
    expect_refusal(lambda: client.converse(modelId=REFUSED, messages=messages[:1]))


def invoke_model(client) -> None:
    """The second turn is streamed, the third refused."""
    messages = [{"role": "user", "content": QUESTION}]

    def body() -> str:
        settings = {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 200}
        return json.dumps({**settings, "system": SYSTEM, "tools": [ANTHROPIC_TOOL], "messages": messages})

    first = client.invoke_model(modelId=BEDROCK_CLAUDE, body=body())
    [use] = json.loads(first["body"].read())["content"]
    result = json.dumps(weather_in(**use["input"]))
    answered = {"type": "tool_result", "tool_use_id": use["id"], "content": result}
    messages += [
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [answered]},
    ]
    for _ in client.invoke_model_with_response_stream(modelId=BEDROCK_CLAUDE, body=body())["body"]:
        pass
    expect_refusal(lambda: client.invoke_model(modelId=REFUSED, body=body()))
