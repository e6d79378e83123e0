"""A LangGraph agent with one tool."""

from conversation import MODEL, MODEL_URL, QUESTION, SESSION, SYSTEM, weather_in
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI


def get_weather(city: str) -> dict:
    """The weather in a city, now."""
    return weather_in(city)


def ask_langgraph() -> None:
    model = ChatOpenAI(model=MODEL, base_url=MODEL_URL, api_key="none", max_retries=0)
    agent = create_agent(model, tools=[get_weather], system_prompt=SYSTEM, name="weather")
    config = {"configurable": {"thread_id": SESSION}, "tags": ["weather"]}
    agent.invoke({"messages": [{"role": "user", "content": QUESTION}]}, config)
